"""`fewlex serve`: runs behind HTTP, for programs. `create_app` in app.py puts the parts together; docs/serve.md."""
