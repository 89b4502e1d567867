-- How members like to read, kept for all their devices. Null is what nobody has chosen yet: then it is as the device says.

create table preference (
  member_id   bigint primary key references member on delete cascade,
  language    text check (language in ('zh', 'en')),
  theme       text check (theme in ('system', 'light', 'dark')),
  text_size   text check (text_size in ('normal', 'large', 'larger')),
  time_zone   text check (char_length(time_zone) between 1 and 100)
);
