import type { OldCell, OldRow, OldTables } from '#importer/testing/old-tables.ts'

// Rows by the schema of the migrations of Flarum 1.8, Flarum 2 and the extensions, and bodies as their formatters write them: no running
// Flarum wrote them.

export const typedPassword = 'tea & <cup>'
const hash = '$2y$10$Z3qN3fXHhfm2n3aJsypU1ujCe99/0wEoEFxEZ/cPg6Ef2ECqR6k0m'
const [admins, guests, everyMember, moderators, friends, ghosts] = [1, 2, 3, 4, 5, 6]
export const pictureId = 'ebd0eafb-8335-4f46-b3db-2723ccaf07d3'
export const fileId = 'e737f663-f38f-4d93-9d1c-5ec7abd4b19c'
export const migratedId = '10c47e75-479f-481e-9b02-5348a333e9ed'

/** A minute of the first day. */
function minute(count: number): string {
  return `2024-05-01 10:${String(count).padStart(2, '0')}:00`
}

export function user(id: number, username: string, more: OldRow = {}): OldRow {
  const usual = { id, username, nickname: null, email: `m${id}@example.org`, is_email_confirmed: 1, password: hash, avatar_url: null }
  return { ...usual, joined_at: minute(0), last_seen_at: null, suspended_until: null, suspend_message: null, bio: null, ...more }
}

export function tag(id: number, slug: string, more: OldRow = {}): OldRow {
  const usual = { id, name: slug, slug, description: null, position: null, parent_id: null, is_restricted: 0, is_hidden: 0, is_qna: 0 }
  return { ...usual, ...more }
}

export function discussion(id: number, title: string, firstPost: number | null, more: OldRow = {}): OldRow {
  const flags = { is_private: 0, is_approved: 1, is_sticky: 0, is_locked: 0 }
  return { id, title, first_post_id: firstPost, hidden_at: null, slug: 'x', ...flags, view_count: 0, best_answer_post_id: null, ...more }
}

export function post(id: number, discussionId: number, number: number | null, content: OldCell, more: OldRow = {}): OldRow {
  const usual = { id, discussion_id: discussionId, number, created_at: minute(id % 60), user_id: 2, type: 'comment', content }
  return { ...usual, edited_at: null, hidden_at: null, is_private: 0, is_approved: 1, ...more }
}

function mention(postId: number, number: number, name = 'Ann'): string {
  return `<POSTMENTION discussionid="1" displayname="${name}" id="${postId}" number="${number}">@"${name}"#p${postId}</POSTMENTION>`
}

const files = 'https://former.example.org/assets/files'

const posts: OldRow[] = [
  post(1, 1, 1, '<r><p>Hello <STRONG><s>**</s>tea<e>**</e></STRONG> 😀</p></r>'),
  post(2, 1, 2, '["Old title","New title"]', { type: 'discussionRenamed', user_id: 1 }),
  post(3, 1, 3, '<t><p>three</p></t>', { user_id: 3, edited_at: minute(50) }),
  post(4, 1, 4, '<t><p>hidden four</p></t>', { hidden_at: minute(51) }),
  post(6, 1, 6, `<r><p>${mention(3, 3)} six <TAGMENTION id="2" slug="tea" tagname="Tea">#tea</TAGMENTION></p></r>`),
  post(7, 1, 7, '<t><p>waits</p></t>', { is_private: 1, is_approved: 0 }),
  post(8, 1, 8, `<r><QUOTE><i>&gt; </i><p>${mention(6, 6)} six</p></QUOTE>\n\n<p>eight</p></r>`, { user_id: null }),
  post(9, 1, 9, '<t><p>kept by an extension</p></t>', { is_private: 1 }),
  post(10, 1, 10, '["tagged"]', { type: 'discussionTagged', user_id: 1 }),
  post(20, 2, 1, '<t><p>body for friends</p></t>'),
  post(21, 3, 1, '<t><p>body for friends, deeper</p></t>'),
  post(22, 4, 1, '<t><p>hidden discussion</p></t>'),
  post(23, 5, 1, '<r><p>private opening <OP><s>[op]</s>and a part<e>[/op]</e></OP></p></r>'),
  post(24, 5, 2, '<t><p>private answer</p></t>', { user_id: 3 }),
  post(25, 5, 3, '[]', { type: 'recipientsModified' }),
  post(26, 5, 4, '<t><p>private and hidden</p></t>', { hidden_at: minute(52) }),
  post(27, 6, 1, '<t><p>body for staff</p></t>', { user_id: 1 }),
  post(28, 7, 1, '<t><p>body of two restrictions</p></t>'),
  post(30, 8, 2, '<t><p>the first that is left</p></t>', { user_id: 3 }),
  post(31, 8, 3, '<t><p>the next</p></t>'),
  post(32, 9, 1, '<t><p>body without a tag</p></t>'),
  post(33, 10, 1, '<t><p>what is best?</p></t>'),
  post(34, 10, 2, '<t><p>the best answer</p></t>', { user_id: 3 }),
  post(35, 11, 1, '<t><p>private of another extension</p></t>'),
  post(36, 12, 1, '<t><p>body across groups</p></t>'),
  post(37, 13, 1, '<t><p>all have left</p></t>'),
  post(38, 14, 1, '<t><p>discussion that waits</p></t>', { is_private: 1, is_approved: 0 }),
  post(
    39,
    15,
    1,
    `<r><p><UPL-IMAGE-PREVIEW alt="{TEXT?}" url="${files}/2024-05-01/1-2-cup.png" uuid="${pictureId}">[upl-image-preview uuid=${pictureId}]</UPL-IMAGE-PREVIEW></p>` +
      `<p><UPL-FILE content="list.txt" size="2kB" uuid="${fileId}"><s>[upl-file uuid=${fileId} size=2kB]</s>list.txt<e>[/upl-file]</e></UPL-FILE></p>` +
      `<p><IMG alt="by address" src="${files}/phpbb_migrated/885_c7d9"><s>![</s>by address<e>](${files}/phpbb_migrated/885_c7d9)</e></IMG></p></r>`,
  ),
  post(40, 15, null, '<t><p>without a number</p></t>', { user_id: 3 }),
  post(41, 15, 2, '<r><REPLY><s>[REPLY]</s><p>reply to see</p><e>[/REPLY]</e></REPLY><p>open</p></r>'),
]

/** A small Flarum 1.8 with what boards of some years have: see the tests for each. */
export const oldFlarum: OldTables = {
  settings: [
    { key: 'forum_title', value: 'Old teahouse' },
    { key: 'version', value: '1.8.7' },
    { key: 'mail_password', value: 'secret' },
    { key: 'slug_driver_Flarum\\User\\User', value: 'default' },
  ],
  groups: [
    { id: admins, name_singular: 'Admin', name_plural: 'Admins', is_hidden: 0 },
    { id: guests, name_singular: 'Guest', name_plural: 'Guests', is_hidden: 0 },
    { id: everyMember, name_singular: 'Member', name_plural: 'Members', is_hidden: 0 },
    { id: moderators, name_singular: 'Mod', name_plural: 'Mods', is_hidden: 0 },
    { id: friends, name_singular: 'Friend of tea', name_plural: 'Friends of tea', is_hidden: 0 },
    { id: ghosts, name_singular: 'Ghost', name_plural: 'Ghosts', is_hidden: 0 },
  ],
  group_permission: [
    [guests, 'viewForum'],
    [everyMember, 'startDiscussion'],
    [everyMember, 'discussion.reply'],
    [friends, 'tag3.viewForum'],
    [friends, 'tag3.startDiscussion'],
    [friends, 'tag3.discussion.reply'],
    [everyMember, 'tag6.viewForum'],
    [moderators, 'tag8.viewForum'],
    [ghosts, 'tag9.viewForum'],
  ].map(([group_id = '', permission = '']) => ({ group_id, permission })),
  users: [
    user(1, 'admin'),
    user(2, 'Ann', { nickname: 'Ann of the teas', avatar_url: 'ann.png', bio: '<t><p>Green tea</p></t>', last_seen_at: minute(59) }),
    user(3, 'Mei', { avatar_url: 'https://former.example.org/assets/avatars/gone.png' }),
    user(4, 'Spammer', { suspended_until: '2038-01-01 00:00:00', suspend_message: 'No more' }),
    user(5, 'Newcomer', { is_email_confirmed: 0, suspended_until: '2020-01-01 00:00:00' }),
    user(6, 'Mod'),
  ],
  group_user: [
    [1, admins],
    [3, friends],
    [5, friends],
    [6, moderators],
  ].map(([user_id = 0, group_id = 0]) => ({ user_id, group_id })),
  tags: [
    tag(1, 'general', { name: 'General', position: 0, description: 'All & sundry' }),
    tag(2, 'tea', { name: 'Tea', position: 1 }),
    tag(3, 'friends', { name: 'Friends', position: 2, is_restricted: 1 }),
    tag(4, 'green', { name: 'Green', position: 0, parent_id: 2, is_qna: 1 }),
    tag(5, 'deep', { name: 'Deep', position: 0, parent_id: 3 }),
    tag(6, 'inside', { name: 'Inside', is_restricted: 1 }),
    tag(7, '怎么做', { name: '怎么做' }),
    tag(8, 'staff', { name: 'Staff', is_restricted: 1 }),
    tag(9, 'ghosts', { name: 'Ghosts', is_restricted: 1 }),
  ],
  discussions: [
    discussion(1, `Tom & Jerry's "best" <3 茶😀`, 1, { is_sticky: 1, view_count: 12 }),
    discussion(2, 'Secret of friends', 20),
    discussion(3, 'Secret of friends, deeper', 21),
    discussion(4, 'Hidden', 22, { hidden_at: minute(53), is_locked: 1 }),
    discussion(5, 'Private talk', 23, { is_private: 1 }),
    discussion(6, 'Secret of staff', 27),
    discussion(7, 'Of two restrictions', 28),
    discussion(8, 'First post gone', null),
    discussion(9, 'Without a tag', 32),
    discussion(10, 'Best tea?', 33, { best_answer_post_id: 34 }),
    discussion(11, 'Private otherwise', 35, { is_private: 1 }),
    discussion(12, 'Across groups', 36),
    discussion(13, 'All have left', 37, { hidden_at: minute(54) }),
    discussion(14, 'Waiting', 38, { is_private: 1, is_approved: 0 }),
    discussion(15, 'Uploads', 39),
  ],
  discussion_tag: Object.entries({
    1: [1, 7],
    2: [3],
    3: [3, 5],
    4: [1],
    5: [1],
    6: [1, 8],
    7: [3, 6],
    8: [2, 4],
    10: [2, 4],
    12: [3, 9],
    14: [1],
    15: [1],
  }).flatMap(([discussionId, tagIds]) => tagIds.map((tag_id) => ({ discussion_id: Number(discussionId), tag_id }))),
  posts,
  post_likes: [
    { post_id: 1, user_id: 3, created_at: minute(55) },
    { post_id: 3, user_id: 2, created_at: minute(56) },
  ],
  discussion_user: [
    { user_id: 3, discussion_id: 1, last_read_at: minute(57), last_read_post_number: 5, subscription: 'follow' },
    { user_id: 2, discussion_id: 2, last_read_at: null, last_read_post_number: null, subscription: 'ignore' },
    { user_id: 3, discussion_id: 5, last_read_at: null, last_read_post_number: 1, subscription: null },
  ],
  recipients: [
    { id: 1, discussion_id: 5, user_id: 2, group_id: null, removed_at: null },
    { id: 2, discussion_id: 5, user_id: 3, group_id: null, removed_at: null },
    { id: 3, discussion_id: 5, user_id: 6, group_id: null, removed_at: minute(30) },
    { id: 4, discussion_id: 13, user_id: 2, group_id: null, removed_at: minute(30) },
  ],
  fof_upload_files: [
    { id: 1, actor_id: 2, base_name: 'cup.png', path: '2024-05-01/1-2-cup.png', upload_method: 'local', uuid: pictureId },
    { id: 2, actor_id: 2, base_name: 'list.txt', path: '2024-05-01/1-3-list.txt', upload_method: 'local', uuid: fileId },
    { id: 3, actor_id: null, base_name: 'migrated.png', path: 'phpbb_migrated/885_c7d9', upload_method: 'local', uuid: migratedId },
    { id: 4, actor_id: 2, base_name: 'far.png', path: '2024/far.png', upload_method: 'aws-s3', uuid: 'far' },
  ],
  polls: [
    { id: 1, question: 'Which?', post_id: 33, end_date: null, public_poll: 1, allow_multiple_votes: 1, max_votes: 0, settings: '' },
    { id: 2, question: 'For all?', post_id: null, end_date: null, public_poll: 0, allow_multiple_votes: 0, max_votes: 0, settings: '' },
  ],
  poll_options: [
    { id: 11, answer: 'Green', poll_id: 1 },
    { id: 12, answer: 'Black', poll_id: 1 },
    { id: 13, answer: 'White', poll_id: 1 },
    { id: 14, answer: 'Yes', poll_id: 2 },
  ],
  poll_votes: [
    { id: 1, poll_id: 1, option_id: 11, user_id: 3, created_at: minute(40) },
    { id: 2, poll_id: 1, option_id: 13, user_id: 3, created_at: minute(40) },
    { id: 3, poll_id: 1, option_id: 12, user_id: null, created_at: minute(41) },
  ],
}

/** The same in Flarum 2, which says of a tag whether it is primary, and has messages of its own. Its users stand with their ids in addresses. */
export const oldFlarum2: OldTables = {
  ...oldFlarum,
  settings: [
    { key: 'forum_title', value: 'Old teahouse' },
    { key: 'version', value: '2.0.0' },
    { key: 'slug_driver_Flarum\\User\\User', value: 'id' },
  ],
  tags: (oldFlarum['tags'] ?? []).map((row) => ({ ...row, is_primary: row['position'] === null ? 0 : 1 })),
  polls: [
    { id: 1, question: 'Which?', post_id: 33, end_date: null, settings: '{"public_poll":true,"allow_multiple_votes":true,"max_votes":0}' },
  ],
  dialogs: [{ id: 1, type: 'direct', last_message_id: 2 }],
  dialog_messages: [
    { id: 1, dialog_id: 1, user_id: 2, content: '<t><p>a message of Flarum 2</p></t>', created_at: minute(1) },
    { id: 2, dialog_id: 1, user_id: 3, content: '<r><p>yes <EMOJI seq="1f600">😀</EMOJI></p></r>', created_at: minute(2) },
  ],
  dialog_user: [
    { id: 1, dialog_id: 1, user_id: 2, last_read_message_id: 1 },
    { id: 2, dialog_id: 1, user_id: 3, last_read_message_id: 2 },
  ],
}

/** The tables of another prefix. */
export function prefixed(tables: OldTables, prefix: string): OldTables {
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [`${prefix}${name}`, rows]))
}
