"""A second person: an act one login proposes and another approves, each approval serving one act (INDUSTRY)."""
