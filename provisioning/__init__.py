"""Identity of the venue and its machines; the roles that install them."""
