"""What each part of the seat screen shows: records computed from the session, without Kivy."""
