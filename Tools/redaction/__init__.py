"""An independent attack on redaction: hostile captures, and a search with tshark. Nothing here knows hark's decoder."""
