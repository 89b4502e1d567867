-- What the browser said of itself, so that members know their own logins; null of those before.

alter table login_log add column user_agent text;
