// ConsoleTests
