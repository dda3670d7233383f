// LanguageModelsTests
