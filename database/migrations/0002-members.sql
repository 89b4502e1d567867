-- Members: roles and levels, avatars and other files, names, profile fields, preferences, deletion of an account.

create table role (
  id          bigint generated always as identity primary key,
  name_zh     text not null check (char_length(name_zh) between 1 and 16 * 50),
  name_en     text not null check (char_length(name_en) between 1 and 16 * 50),
  is_default  boolean not null default false,
  sort        int not null default 0,
  version     int not null default 0
);
create unique index on role (is_default) where is_default;   -- one default role

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
  name          text,  -- file name of an attachment, on download
  moves         boolean not null default false,  -- an animation, of which no smaller AVIF is made
  rendered_at   timestamptz,  -- when the smaller sizes were made
  -- The background that keeps a partly transparent picture visible: light in a dark theme, dark in a light one, grey in both. Null where none is needed.
  ground        text check (ground in ('light', 'dark', 'mid')),
  lost          text[] not null default '{}' check (lost <@ array['size', 'motion', 'depth']),  -- properties of the upload that its sender was told are gone
  constraint file_has_size check ((width is null) = (kind in ('attachment', 'archive')) and (height is null) = (width is null)),
  constraint file_has_name check ((name is null) = (kind not in ('attachment', 'archive')))
);
create index on file (unused_since) where unused_since is not null;   -- the job that deletes unused files
create index on file (owner_id, made_at);   -- uploads of a member, oldest first
create index on file (made_at) where kind = 'picture' and rendered_at is null and unused_since is null;   -- the job that makes the smaller sizes

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
  -- The time of the last post of each kind, for the limits on the pace of members.
  last_topic_at        timestamptz,
  last_remark_at       timestamptz,  -- a comment or a reply
  last_seen_at         timestamptz not null default now(),
  joined_ip            inet,  -- null: added by staff, or erased
  deactivated_as       text check (deactivated_as in ('disabled', 'cancelled', 'left', 'erased')),  -- null while active
  deactivated_because  text,
  freed_account        text,  -- the names of a closed account whose names are free again
  freed_nickname       text,
  merged_into          bigint references member,
  version              int not null default 0,  -- counts edits by staff and by the member
  -- The points that count for the level: given by the forum less taken back, whether or not the balance covered it.
  points_earned        bigint not null default 0,
  about                text not null default '' check (char_length(about) <= 16 * 300),
  shows_last_seen      boolean not null default true,
  -- The reader may not select password_hash, and pages ask whether there is one. Generated, so that no way of setting a password forgets it.
  has_password         boolean not null generated always as (password_hash is not null) stored,
  check ((deactivated_as is null) = (deactivated_at is null))
) with (fillfactor = 80);
create index on member (account_key text_pattern_ops);   -- suggestions while typing @
create index on member (nickname_key text_pattern_ops);   -- likewise
create index on member (avatar) where avatar is not null;   -- whether a file is still an avatar
-- The list of members, in each of its orders.
create index on member (joined_at, id);
create index on member (last_seen_at, id);
create index on member (deactivated_at) where deactivated_at is not null;   -- the few deactivated accounts
create index on member (merged_into) where merged_into is not null;   -- accounts that were merged into one
create index on member (joined_ip, joined_at) where joined_ip is not null;   -- registrations from one address, and how many within a day
create index on member using gin (parts_of(account_key || ' ' || coalesce(nickname_key, '')));   -- search by any part of a name
alter table file add foreign key (owner_id) references member;

-- Roles of members, each for a period.
create table role_holding (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member,
  role_id      bigint not null references role,
  during       tstzrange not null check (not isempty(during)),
  is_taken     boolean not null default false,  -- ended before its time, of which the holder was told otherwise or not at all
  told_of_end  timestamptz,  -- the end that the holder was notified of
  told_days    smallint,  -- how many days before it; 0 once it was over
  exclude using gist (member_id with =, role_id with =, during with &&)  -- one period at a time; also finds the roles of a member
);
create index on role_holding (role_id);   -- holders of a role
create index on role_holding (upper(during)) where not upper_inf(during) and upper(during) < 'infinity';   -- roles that end soon

create table role_right (
  role_id     bigint not null references role on delete cascade,
  right_name  text not null,
  tag_id      bigint,  -- null: every tag that is not restricted
  unique nulls not distinct (role_id, right_name, tag_id)
);

-- Rights that a version of the program has brought here. A new one is given to the default role once: database/new-rights.ts.
create table known_right (
  name  text primary key
);

create table level (
  id            bigint generated always as identity primary key,
  name_zh       text not null,
  name_en       text not null,
  needs_points  bigint not null unique check (needs_points >= 0)
);

-- Account names and nicknames under one key: no member may take either that belongs to another.
create table taken_name (
  key        text primary key,  -- folded, like account_key and nickname_key
  member_id  bigint not null references member on delete cascade
);
create index on taken_name (member_id);   -- the names of a renamed member

-- Nicknames that members gave up: reserved for a time, and an old nickname still finds its member.
create table former_name (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member on delete cascade,
  name         text not null,
  key          text not null,
  is_shown     boolean not null default true,  -- shown on the profile; false for a name that staff took away
  given_up_at  timestamptz not null default now()
);
create index on former_name (key, given_up_at desc);   -- the last owner of a name
create index on former_name (member_id, given_up_at desc);   -- former names of a member, and the last renaming

-- Renamed members. A job writes the new name into every text that mentions them.
create table rename (
  member_id    bigint primary key references member on delete cascade,
  version      int not null default 1,  -- counts renamings
  renamed_at   timestamptz not null default clock_timestamp(),
  followed_at  timestamptz  -- when every text had the name
);

-- Profile fields, defined by staff.
create table field (
  id           bigint generated always as identity primary key,
  name_zh      text not null check (char_length(name_zh) between 1 and 16 * 50),
  name_en      text not null check (char_length(name_en) between 1 and 16 * 50),
  help_zh      text not null default '',
  help_en      text not null default '',
  kind         text not null check (kind in ('text', 'radio', 'checkbox', 'select', 'textarea')),
  takes        text not null default 'anything' check (takes in ('anything', 'digits', 'letters', 'lettersAndDigits', 'chinese', 'pattern')),
  pattern      text,
  options      jsonb not null default '[]',  -- of radio, checkbox and select: keys, with names in both languages
  longest      int not null default 100 check (longest between 1 and 2000),
  is_required  boolean not null default false,
  is_searched  boolean not null default false,
  is_visible   boolean not null default false,
  sort         int not null default 0,
  version      int not null default 0,
  removed_at   timestamptz,  -- answers stay until the field is deleted for good
  check ((takes = 'pattern') = (pattern is not null))
);

create table member_field (
  member_id  bigint not null references member on delete cascade,
  field_id   bigint not null references field,
  answer     text[] not null,
  primary key (member_id, field_id)
);
create index on member_field using gin (answer);   -- members by answer
create index on member_field using gin (parts_of(lower(answer[1])));   -- search by any part of an answer

-- Reading preferences, shared by all devices of a member. Null follows the device.
create table preference (
  member_id  bigint primary key references member on delete cascade,
  language   text check (language in ('zh', 'en')),
  theme      text check (theme in ('system', 'light', 'dark')),
  text_size  text check (text_size in ('normal', 'large', 'larger')),
  time_zone  text check (char_length(time_zone) between 1 and 100)
);

create table account_deletion (
  member_id  bigint primary key references member on delete cascade,
  posts      text not null check (posts in ('stay', 'remove')),
  asked_at   timestamptz not null default now(),
  erase_at   timestamptz not null,
  begun_at   timestamptz  -- the account cannot be restored from then on
);
create index on account_deletion (erase_at);   -- accounts due for erasure
