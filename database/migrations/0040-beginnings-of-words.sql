create index on search_word (word collate "C");   -- words that begin so
