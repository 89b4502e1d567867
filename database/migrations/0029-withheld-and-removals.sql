-- Since when staff keep a version from members that was on the page. What never was there is withheld without a moment.
alter table topic_revision add column withheld_at timestamptz check (withheld_at is null or is_withheld);
alter table comment_revision add column withheld_at timestamptz check (withheld_at is null or is_withheld);
alter table reply_revision add column withheld_at timestamptz check (withheld_at is null or is_withheld);
