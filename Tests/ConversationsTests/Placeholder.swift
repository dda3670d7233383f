// ConversationsTests
