"""What is known about words before any rule is learned: links, classes, function words, templates."""
