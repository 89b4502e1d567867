-- What members say of themselves, and whether others see when they were here last.

alter table member
  add column about text not null default '' check (char_length(about) <= 300),
  add column shows_last_seen boolean not null default true;
