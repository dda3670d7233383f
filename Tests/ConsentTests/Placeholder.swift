// ConsentTests
