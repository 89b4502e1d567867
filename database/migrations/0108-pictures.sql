-- What must lie behind a picture that is clear in part, so that its shapes are seen: light in a dark theme, dark in a light one, or grey in both;
-- and what of it could not be kept, as its sender is told. Of pictures from before neither is known.
alter table file add column ground text check (ground in ('light', 'dark', 'mid'));
alter table file add column lost text[] not null default '{}' check (lost <@ array['size', 'motion', 'depth']);
