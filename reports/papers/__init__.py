"""The papers of the house: what is on each, put together from the record and rendered by `documents`."""
