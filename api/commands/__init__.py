"""What an operator types: flask --app wsgi COMMAND."""
