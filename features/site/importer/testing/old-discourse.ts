import { pbkdf2Sync } from 'node:crypto'
import { sha1Of } from '#importer/server/discourse/upload-address.ts'
import type { PgRow, PgTables } from '#importer/testing/postgres-dump.ts'

export const typedPassword = 'tea & "cup" '
const salt = '0123456789abcdef0123456789abcdef'
const rounds = 1_000
const hash = pbkdf2Sync(typedPassword, salt, rounds, 32, 'sha256').toString('hex')
const hashOf64000 = pbkdf2Sync(typedPassword, salt, 64_000, 32, 'sha256').toString('hex')

/** Short names of uploads, as texts have them. The second begins with zeros in hexadecimal. */
export const uploads = { picture: 'bEs9WFJErcB8y7m1Ye5JopTWeX3', short: '9zZ', secure: 'aaaaaaaaaaaaaaaaaaaaaaaaaa' }
const sha1 = (name: keyof typeof uploads) => sha1Of(uploads[name]) ?? ''

/**
 * A small Discourse. No Discourse wrote these rows: they were made by its documented tables, as the models of Discourse 3 and of its
 * plugins poll and solved name them, with the columns that are read.
 */
export const oldDiscourse: PgTables = {
  site_settings: [
    { id: 1, name: 'title', data_type: 1, value: 'Old teahouse' },
    { id: 2, name: 'uncategorized_category_id', data_type: 3, value: '1' },
  ],
  groups: [
    ...Object.entries({ 0: 'everyone', 1: 'admins', 2: 'moderators', 3: 'staff', 10: 'trust_level_0', 12: 'trust_level_2' }).map(
      ([id, name]) => ({ id: Number(id), name, automatic: true }),
    ),
    { id: 41, name: 'tasters', automatic: false },
  ],
  users: [
    user(-1, 'system', { admin: true }),
    user(1, 'admin', { admin: true }),
    user(2, 'Ann.Lee', { name: 'Ann of the teahouse', uploaded_avatar_id: 4 }),
    user(3, 'mei', {}),
    user(4, 'spammer', { suspended_till: '3024-01-01 00:00:00' }),
    user(5, 'loud_one', { silenced_till: '2099-01-01 00:00:00' }),
    user(6, 'by_mail', { staged: true, active: false }),
    user(7, 'older', { password_hash: hashOf64000, salt }),
  ],
  user_passwords: [1, 2].map((user_id) => ({
    id: user_id,
    user_id,
    password_hash: hash,
    password_salt: salt,
    password_algorithm: `$pbkdf2-sha256$i=${rounds},l=32$`,
  })),
  user_emails: [
    { id: 1, user_id: 2, email: 'ann@example.org', primary: true },
    { id: 2, user_id: 2, email: 'second@example.org', primary: false },
    { id: 3, user_id: 6, email: 'by-mail@example.org', primary: true },
  ],
  email_tokens: [{ id: 1, user_id: 2, email: 'ann@example.org', confirmed: true }],
  user_profiles: [{ user_id: 2, bio_raw: 'I like **green** tea :tea:' }],
  user_fields: [
    { id: 1, name: 'Town', show_on_profile: true, show_on_user_card: false },
    { id: 2, name: 'Real address', show_on_profile: false, show_on_user_card: false },
  ],
  user_custom_fields: [
    { id: 1, user_id: 2, name: 'user_field_1', value: 'Hangzhou' },
    { id: 2, user_id: 2, name: 'user_field_2', value: '1 Tea Road' },
  ],
  group_users: [
    { id: 1, group_id: 1, user_id: 1 },
    { id: 2, group_id: 10, user_id: 2 },
    { id: 3, group_id: 41, user_id: 3 },
  ],
  user_histories: [{ id: 1, action: 10, target_user_id: 4, details: 'Spam\n\nA letter to the member' }],
  categories: [
    category(1, 'Uncategorized', { position: 0 }),
    category(2, 'Tea', { position: 1, description: 'All about <b>tea</b> &amp; cups' }),
    category(3, 'Green', { position: 2, parent_category_id: 2 }),
    category(4, 'Longjing', { position: 3, parent_category_id: 3 }),
    category(5, 'Tasters alone', { position: 4, read_restricted: true }),
    category(6, 'Announcements', { position: 5 }),
    category(7, 'Staff', { position: 6, read_restricted: true }),
    category(8, 'Members', { position: 7, read_restricted: true }),
  ],
  category_groups: [
    { id: 1, category_id: 5, group_id: 41, permission_type: 1 },
    { id: 2, category_id: 6, group_id: 0, permission_type: 2 },
    { id: 3, category_id: 6, group_id: 3, permission_type: 1 },
    { id: 4, category_id: 7, group_id: 3, permission_type: 1 },
    { id: 5, category_id: 8, group_id: 10, permission_type: 3 },
    { id: 6, category_id: 8, group_id: 41, permission_type: 1 },
  ],
  category_custom_fields: [{ id: 1, category_id: 4, name: 'enable_accepted_answers', value: 'true' }],
  tags: [
    { id: 1, name: 'spring', public_topic_count: 1 },
    { id: 2, name: 'internal', public_topic_count: 1 },
    { id: 3, name: 'unused', public_topic_count: 0 },
  ],
  tag_group_permissions: [{ id: 1, tag_group_id: 1, group_id: 3, permission_type: 1 }],
  tag_group_memberships: [{ id: 1, tag_id: 2, tag_group_id: 1 }],
  topic_tags: [
    { id: 1, topic_id: 10, tag_id: 1 },
    { id: 2, topic_id: 10, tag_id: 2 },
  ],
  topics: [
    topic(10, 3, 'Which water :tea:', { pinned_at: '2020-01-02 00:00:00', pinned_globally: true, closed: true, views: 7 }),
    topic(11, 5, 'Secret of tasters', {}),
    topic(12, 7, 'Secret of staff', {}),
    topic(13, 2, 'In no list', { visible: false }),
    topic(14, 4, 'How hot', {}),
    topic(15, 2, 'A poll', { pinned_at: '2020-01-02 00:00:00', pinned_until: '2020-02-02 00:00:00' }),
    topic(16, 2, 'Removed', { deleted_at: '2020-01-03 00:00:00' }),
    topic(17, null, 'A letter', { archetype: 'private_message' }),
    topic(18, null, 'To the moderators', { archetype: 'private_message' }),
    topic(19, null, 'Without a category', {}),
  ],
  posts: [
    post(100, 10, 1, { raw: `Hello @ann.lee and @nobody :+1:t3:\n\n![cup|690x388, 50%](upload://${uploads.picture}.png)` }),
    post(101, 10, 2, { raw: 'the first answer', user_id: 2 }),
    post(102, 10, 4, { raw: 'whispered words', post_type: 4 }),
    post(103, 10, 5, {
      raw: '[quote="Ann of the teahouse, post:2, topic:10, full:true, username:Ann.Lee"]\nthe first answer\n[/quote]\nyes',
      user_id: 3,
      reply_to_post_number: 2,
    }),
    post(104, 10, 6, { raw: 'removed words', deleted_at: '2020-01-03 00:00:00' }),
    post(105, 10, 7, { raw: 'hidden words', hidden: true }),
    post(106, 10, 8, { raw: '', post_type: 3 }),
    post(107, 10, 9, { raw: 'by staff', post_type: 2, user_id: 1 }),
    post(108, 10, 10, { raw: 'of someone who is gone', user_id: null }),
    post(109, 10, 11, { raw: 'of the program', user_id: -1 }),
    post(110, 10, 12, {
      raw: `see ![x](upload://${uploads.secure}.png) and [letter.txt|attachment](upload://${uploads.short}.txt) (2 KB)`,
    }),
    post(111, 11, 1, { raw: `for tasters ![x](upload://${uploads.secure}.png)`, user_id: 3 }),
    post(112, 12, 1, { raw: 'for staff', user_id: 1 }),
    post(113, 13, 1, { raw: 'in no list' }),
    post(114, 14, 1, { raw: 'How hot?' }),
    post(115, 14, 2, { raw: '80 degrees', user_id: 3 }),
    post(116, 15, 1, { raw: 'Vote:\n\n[poll type=multiple max=2 results=always]\n* Green\n* Black :tea:\n* White\n[/poll]\n\nThanks' }),
    post(117, 16, 1, { raw: 'removed' }),
    post(118, 17, 1, { raw: 'private words', user_id: 2 }),
    post(119, 17, 2, { raw: 'private answer', user_id: 3 }),
    post(120, 17, 3, { raw: 'private whisper', user_id: 1, post_type: 4 }),
    post(121, 18, 1, { raw: 'private to moderators', user_id: 2 }),
    post(122, 19, 1, { raw: 'see [above](/t/which-water/10/5) and /p/101', public_version: 2, last_version_at: '2020-03-03 00:00:00' }),
  ],
  polls: [poll(1, 116, { type: 1, max: 2 })],
  poll_options: [
    { id: 1, poll_id: 1, html: 'Green' },
    { id: 2, poll_id: 1, html: 'Black <img src="/images/emoji/tea.png" title=":tea:" class="emoji" alt=":tea:">' },
    { id: 3, poll_id: 1, html: 'White' },
  ],
  poll_votes: [
    { poll_id: 1, poll_option_id: 1, user_id: 3, created_at: '2020-01-02 00:00:00' },
    { poll_id: 1, poll_option_id: 2, user_id: 3, created_at: '2020-01-02 00:00:00' },
    { poll_id: 1, poll_option_id: 3, user_id: 2, created_at: '2020-01-02 00:00:00' },
  ],
  discourse_solved_solved_topics: [{ id: 1, topic_id: 14, answer_post_id: 115, accepter_user_id: 2 }],
  topic_custom_fields: [{ id: 1, topic_id: 14, name: 'accepted_answer_post_id', value: '115' }],
  topic_allowed_users: [
    { id: 1, topic_id: 17, user_id: 2 },
    { id: 2, topic_id: 17, user_id: 5 },
    { id: 3, topic_id: 18, user_id: 2 },
  ],
  topic_allowed_groups: [
    { id: 1, topic_id: 17, group_id: 41 },
    { id: 2, topic_id: 18, group_id: 2 },
  ],
  topic_users: [
    {
      topic_id: 10,
      user_id: 3,
      notification_level: 3,
      last_read_post_number: 6,
      last_visited_at: '2020-01-05 00:00:00',
      notifications_changed_at: null,
    },
    { topic_id: 10, user_id: 2, notification_level: 1, last_read_post_number: null, last_visited_at: null, notifications_changed_at: null },
  ],
  category_users: [
    { id: 1, category_id: 3, user_id: 3, notification_level: 4 },
    { id: 2, category_id: 2, user_id: 3, notification_level: 0 },
  ],
  post_actions: [
    { id: 1, post_id: 101, user_id: 3, post_action_type_id: 2, deleted_at: null, created_at: '2020-01-02 00:00:00' },
    { id: 2, post_id: 103, user_id: 2, post_action_type_id: 2, deleted_at: '2020-01-03 00:00:00', created_at: '2020-01-02 00:00:00' },
    { id: 3, post_id: 103, user_id: 2, post_action_type_id: 4, deleted_at: null, created_at: '2020-01-02 00:00:00' },
  ],
  bookmarks: [
    { id: 1, user_id: 2, bookmarkable_type: 'Post', bookmarkable_id: 103, created_at: '2020-01-02 00:00:00' },
    { id: 2, user_id: 2, bookmarkable_type: 'Topic', bookmarkable_id: 14, created_at: '2020-01-02 00:00:00' },
    { id: 3, user_id: 2, bookmarkable_type: 'Chat::Message', bookmarkable_id: 14, created_at: '2020-01-02 00:00:00' },
  ],
  uploads: [
    upload(1, sha1('picture'), 'cup.png', {}),
    upload(2, sha1('short'), 'letter.txt', {}),
    upload(3, sha1('secure'), 'secret.png', { secure: true, access_control_post_id: 111 }),
    upload(4, '1'.repeat(40), 'avatar.png', {}),
  ],
  upload_references: [
    { id: 1, upload_id: 1, target_type: 'Post', target_id: 100 },
    { id: 2, upload_id: 2, target_type: 'Post', target_id: 110 },
    { id: 3, upload_id: 3, target_type: 'Post', target_id: 111 },
    { id: 4, upload_id: 4, target_type: 'UserAvatar', target_id: 2 },
  ],
}

/** The path of an upload in the folder that holds `uploads`. */
export function uploadPath(its: string, name: string): string {
  return `uploads/default/original/1X/${its}.${name.split('.').at(-1)}`
}

export function user(id: number, username: string, more: PgRow): PgRow {
  const usual = { active: true, approved: false, staged: false, admin: false, moderator: false, trust_level: 1 }
  const none = { last_seen_at: null, suspended_till: null, silenced_till: null, uploaded_avatar_id: null, salt: null, password_hash: null }
  return { id, username, username_lower: username.toLowerCase(), created_at: '2020-01-01 00:00:00', ...usual, ...none, ...more }
}

export function category(id: number, name: string, more: PgRow): PgRow {
  return {
    id,
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    position: id,
    description: null,
    parent_category_id: null,
    read_restricted: false,
    ...more,
  }
}

export function topic(id: number, category_id: number | null, title: string, more: PgRow): PgRow {
  const none = { deleted_at: null, pinned_at: null, pinned_until: null }
  const usual = { archetype: 'regular', visible: true, closed: false, archived: false, pinned_globally: false, views: 1, user_id: 2 }
  return { id, category_id, title, ...usual, ...none, ...more }
}

export function post(id: number, topic_id: number, post_number: number, more: PgRow): PgRow {
  const created_at = `2020-01-02 00:00:${String(post_number).padStart(2, '0')}`
  const none = { reply_to_post_number: null, deleted_at: null, hidden: false, user_deleted: false }
  const usual = { user_id: 2, post_type: 1, cook_method: 1, public_version: 1, created_at, last_version_at: created_at }
  return { id, topic_id, post_number, ...usual, ...none, ...more }
}

export function poll(id: number, post_id: number, more: PgRow): PgRow {
  const usual = { type: 0, status: 0, results: 0, visibility: 1, max: null, close_at: null, updated_at: '2020-01-02 00:00:00' }
  return { id, post_id, name: 'poll', title: null, ...usual, ...more }
}

export function upload(id: number, its: string, original_filename: string, more: PgRow): PgRow {
  const url = `/${uploadPath(its, original_filename)}`
  return { id, user_id: 2, original_filename, url, sha1: its, secure: false, access_control_post_id: null, ...more }
}
