create index on member (id) where password_hash like 'imported:%';   -- whether any hash of another program is left, for each failed login
