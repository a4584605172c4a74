"""What a stranger may hand to fewlex: files, words, settings, servers. Nothing of it may do harm."""
