-- A tag may have a picture, a small square like an avatar.
alter table tag add column picture text references file;
create unique index on tag (picture) where picture is not null;   -- of one tag alone; and a file that goes must not be any tag's
