-- The words of what is sent, as staff changed them; and by which address something that was sent is found.

create table delivery_template (
  template    text not null,
  language    text not null check (language in ('zh', 'en')),
  subject     text check (char_length(subject) between 1 and 1000),    -- null with the text: as the program has it
  text        text check (char_length(text) between 1 and 8000),
  version     int not null,
  changed_by  text not null,
  changed_at  timestamptz not null default now(),
  primary key (template, language),
  check ((subject is null) = (text is null))
);

-- Keyed: who has the database alone cannot try addresses out. What was sent before has none.
alter table delivery add column to_hash bytea;
create index on delivery (to_hash, id) where to_hash is not null;   -- what was sent to an address that somebody asks about
