-- Who there is, and what they may do.

-- Who there is, what they may do, and how they prove who they are.
create table role (
  id          bigint generated always as identity primary key,
  name_zh     text not null check (char_length(name_zh) between 1 and 16 * 50),
  name_en     text not null check (char_length(name_en) between 1 and 16 * 50),
  is_default  boolean not null default false,
  sort        int not null default 0,
  version     int not null default 0
);
create unique index on role (is_default) where is_default;   -- at most one role is everybody's

create table file (
  id            text primary key,  -- random, so that addresses cannot be guessed
  owner_id      bigint,
  kind          text not null check (kind in ('picture', 'avatar', 'attachment', 'archive')),
  type          text not null,
  width         int check (width > 0),
  height        int check (height > 0),
  bytes         int not null check (bytes > 0),
  sha256        bytea not null,
  made_at       timestamptz not null default now(),
  unused_since  timestamptz default now(),  -- null while a post or a profile uses it
  name          text,  -- what an attachment is called when it is saved
  moves         boolean not null default false,  -- an animation: no smaller AVIF is made of it
  rendered_at   timestamptz,  -- when its smaller ones were made
  -- What must lie behind a picture that is clear in part, so that its shapes are seen: light in a dark theme, dark in a light one, or grey in both;
  -- and what of it could not be kept, as its sender is told. Of pictures from before neither is known.
  ground        text check (ground in ('light', 'dark', 'mid')),
  lost          text[] not null default '{}' check (lost <@ array['size', 'motion', 'depth']),
  constraint file_has_size check ((width is null) = (kind in ('attachment', 'archive')) and (height is null) = (width is null)),
  constraint file_has_name check ((name is null) = (kind not in ('attachment', 'archive')))
);
create index on file (unused_since) where unused_since is not null;   -- the job that removes what is unused
create index on file (owner_id, made_at);   -- what one member uploaded, newest last
create index on file (made_at) where kind = 'picture' and rendered_at is null and unused_since is null;   -- the job that makes them

create table member (
  id                   bigint generated always as identity primary key,
  account              text not null,
  account_key          text not null unique,  -- folded, so that look-alikes count as the same name
  nickname             text,
  nickname_key         text unique,
  password_hash        text,
  hint_question        text,
  hint_answer_hash     text,
  avatar               text references file,
  language             text not null default 'zh' check (language in ('zh', 'en')),
  is_official          boolean not null default false,
  shows_activity       boolean not null default true,
  agreed_to_terms_at   timestamptz not null default now(),
  joined_at            timestamptz not null default now(),
  deactivated_at       timestamptz,
  topic_count          int not null default 0 check (topic_count >= 0),
  comment_count        int not null default 0 check (comment_count >= 0),
  reply_count          int not null default 0 check (reply_count >= 0),
  -- When members wrote last and what they said lately, so that nobody writes too fast or the same again and again.
  last_topic_at        timestamptz,
  last_remark_at       timestamptz,  -- a comment or a reply
  -- The staff's hand on members: finding them, keeping them from things for a time, notes, fields of staff's making, and cleaning up after them.
  last_seen_at         timestamptz not null default now(),
  joined_ip            inet,  -- null: added by staff, or gone from the log
  deactivated_as       text check (deactivated_as in ('disabled', 'cancelled', 'left', 'erased')),  -- null while active, and where it was for good before this was kept
  deactivated_because  text,
  freed_account        text,  -- what they were called, where their name was given free
  freed_nickname       text,
  merged_into          bigint references member,
  version              int not null default 0,  -- counts changes of what staff and the member both may edit
  -- What of a member's points counts for their level: what the forum gave, less what it took back, whether or not it could be taken.
  points_earned        bigint not null default 0,
  -- What members say of themselves, and whether others see when they were here last.
  about                text not null default '' check (char_length(about) <= 16 * 300),
  shows_last_seen      boolean not null default true,
  -- The role that only reads may not select what opens something. Two of its questions need a column of their own for that.
  -- Whether an account has a password, which pages ask for; worked out by the database, so no way of setting one forgets it.
  has_password         boolean not null generated always as (password_hash is not null) stored,
  check (deactivated_as is null or deactivated_at is not null)
) with (fillfactor = 80);
create index on member (account_key text_pattern_ops);   -- suggestions while typing @
create index on member (nickname_key text_pattern_ops);
create index on member (avatar) where avatar is not null;   -- a file that goes must not be anybody's
-- The list of members, by each of its sorts.
create index on member (joined_at, id);
create index on member (last_seen_at, id);
create index on member (deactivated_at) where deactivated_at is not null;   -- the few who are out
create index on member (joined_ip, joined_at) where joined_ip is not null;   -- who signed up from one address, and how many within a day
create index on member using gin (parts_of(account_key || ' ' || coalesce(nickname_key, '')));   -- by any part of a name
alter table file add foreign key (owner_id) references member;

create table role_holding (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member,
  role_id      bigint not null references role,
  during       tstzrange not null check (not isempty(during)),
  -- Of which end of a role its holder was told.
  told_of_end  timestamptz,
  exclude using gist (member_id with =, role_id with =, during with &&)  -- one stretch at a time; also finds a member's roles
);
create index on role_holding (role_id);   -- who holds a role
create index on role_holding (upper(during)) where not upper_inf(during) and upper(during) < 'infinity';   -- those that end soon

create table role_right (
  role_id     bigint not null references role on delete cascade,
  right_name  text not null,
  tag_id      bigint,  -- null: everywhere that is not restricted
  unique nulls not distinct (role_id, right_name, tag_id)
);

create table level (
  id            bigint generated always as identity primary key,
  name_zh       text not null,
  name_en       text not null,
  needs_points  bigint not null unique check (needs_points >= 0)
);

-- A name is one member's, be it the account or the nickname: all that are taken stand here, under one key, whoever writes them.
create table taken_name (
  key        text primary key,  -- folded, as the keys of members are
  member_id  bigint not null references member on delete cascade
);
create index on taken_name (member_id);   -- what a member who is renamed gives up

-- Nicknames that members gave up: for a time nobody else gets them, and who looks for somebody by one finds them.
create table former_name (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member on delete cascade,
  name         text not null,
  key          text not null,
  is_shown     boolean not null default true,  -- on their page; not one that staff took away
  given_up_at  timestamptz not null default now()
);
create index on former_name (key, given_up_at desc);   -- whose it was last
create index on former_name (member_id, given_up_at desc);   -- what one was called, and when they were last renamed

-- Members whose new name has not reached every text yet.
create table rename (
  member_id    bigint primary key references member on delete cascade,
  version      int not null default 1,  -- one more with each further name
  renamed_at   timestamptz not null default clock_timestamp(),
  followed_at  timestamptz  -- when all texts of that moment had the name
);

create table field (
  id           bigint generated always as identity primary key,
  name_zh      text not null check (char_length(name_zh) between 1 and 16 * 50),
  name_en      text not null check (char_length(name_en) between 1 and 16 * 50),
  help_zh      text not null default '',
  help_en      text not null default '',
  kind         text not null check (kind in ('text', 'radio', 'checkbox', 'select', 'textarea')),
  takes        text not null default 'anything' check (takes in ('anything', 'digits', 'letters', 'lettersAndDigits', 'chinese', 'pattern')),
  pattern      text,
  options      jsonb not null default '[]',  -- of radio, checkbox and select: key and name in both languages
  longest      int not null default 100 check (longest between 1 and 2000),
  is_required  boolean not null default false,
  is_searched  boolean not null default false,
  is_visible   boolean not null default false,
  sort         int not null default 0,
  version      int not null default 0,
  removed_at   timestamptz,  -- what was answered stays until it is removed for good
  check ((takes = 'pattern') = (pattern is not null))
);

create table member_field (
  member_id  bigint not null references member on delete cascade,
  field_id   bigint not null references field,
  answer     text[] not null,
  primary key (member_id, field_id)
);
create index on member_field using gin (answer);   -- who answered so
create index on member_field using gin (parts_of(lower(answer[1])));   -- by any part of an answer

-- How members like to read, kept for all their devices. Null is what nobody has chosen yet: then it is as the device says.
create table preference (
  member_id  bigint primary key references member on delete cascade,
  language   text check (language in ('zh', 'en')),
  theme      text check (theme in ('system', 'light', 'dark')),
  text_size  text check (text_size in ('normal', 'large', 'larger')),
  time_zone  text check (char_length(time_zone) between 1 and 100)
);

-- Where the forum has one, who registers is greeted with this topic.
create table welcome (
  topic_id  bigint primary key
);

-- Who registered where staff look at everybody first, and what they decided. Accounts without a row were never asked about.
create table joining (
  member_id   bigint primary key references member on delete cascade,
  asked_at    timestamptz not null default now(),
  outcome     text check (outcome in ('approved', 'refused')),  -- null: they wait
  reason      text not null default '',
  decided_at  timestamptz,
  decided_by  bigint,
  check ((outcome is null) = (decided_at is null))
);
create index on joining (asked_at, member_id) where outcome is null;   -- those who wait, the first first, and how many
create index on joining (asked_at, member_id) where outcome is not null;   -- what was decided

create table member_ban (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  function   text not null,  -- what they are kept from; the program knows which rights that takes
  reason     text not null,
  given_at   timestamptz not null default now(),
  given_by   bigint not null,
  ends_at    timestamptz,  -- null: for good
  lifted_at  timestamptz,
  lifted_by  bigint
);
create index on member_ban (member_id, id desc);   -- their bans, newest first
create unique index on member_ban (member_id, function) where lifted_at is null;   -- one at a time; one that ran out is lifted when another comes

create table member_note (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  staff_id   bigint not null,
  text       text not null,
  at         timestamptz not null default now()
);
create index on member_note (member_id, id desc);   -- newest first

-- All that one member wrote, taken off the page in one deed, step by step where it is much.
create table member_cleaning (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  staff_id   bigint not null,
  reason     text not null,
  began_at   timestamptz not null default now(),
  status     text not null default 'removing' check (status in ('removing', 'removed', 'restoring', 'restored')),
  disabled   boolean not null,  -- whether it locked them out, which undoing it takes back
  ban_ids    bigint[] not null default '{}',  -- the bans it gave, likewise
  removed    int not null default 0,
  restored   int not null default 0
);
create index on member_cleaning (member_id, id desc);
create index on member_cleaning (id) where status in ('removing', 'restoring');   -- what the job goes on with

create table member_cleaned (
  cleaning_id  bigint not null references member_cleaning on delete cascade,
  kind         post_kind not null,
  post_id      bigint not null,
  topic_id     bigint not null,
  was          text not null check (was in ('pending', 'published')),
  settled_at   timestamptz,  -- when it was brought back, or found to need no bringing back
  -- A clean-up settles the reports about what it takes off, and brings them back with it; several reviews decided at once are a batch.
  case_id      bigint,  -- the reports that it settled with the post
  primary key (cleaning_id, kind, post_id)
);
create index on member_cleaned (case_id) where case_id is not null;   -- a case that goes

-- What one member wrote goes over to another in steps, each of which leaves all counts right.
create table member_merging (
  id        bigint generated always as identity primary key,
  from_id   bigint not null unique references member,  -- its account ended when this began
  into_id   bigint not null references member,
  staff_id  bigint not null,
  began_at  timestamptz not null default now(),
  status    text not null default 'merging' check (status in ('merging', 'merged')),
  moved     int not null default 0,  -- posts that are the other's by now
  check (from_id <> into_id)
);
create index on member_merging (into_id);   -- who became part of somebody
create index on member_merging (id) where status = 'merging';   -- what the job goes on with

create table member_leaving (
  member_id  bigint primary key references member on delete cascade,
  posts      text not null check (posts in ('stay', 'remove')),
  asked_at   timestamptz not null default now(),
  erase_at   timestamptz not null,
  begun_at   timestamptz  -- from then on nothing brings it back
);
create index on member_leaving (erase_at);   -- whose time has come
