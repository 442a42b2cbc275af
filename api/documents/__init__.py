"""Documents to be downloaded: papers of one thing, and the journal; all as files."""

from api.documents import journal, papers
from api.documents.blueprint import documents

__all__ = ["documents", "journal", "papers"]
