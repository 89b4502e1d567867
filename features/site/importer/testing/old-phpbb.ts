import type { OldRow, OldTables } from '#importer/testing/old-tables.ts'

const began = 1_500_000_000
const [list, read, write, reply, all] = [1, 2, 3, 4, 5]
const [guests, registered, insiders] = [1, 2, 8]
const [noAccess, standard] = [16, 15]

/** Of an older phpBB. */
export const typedPassword = 'tea cup'
const oldHash = '$H$9U1X1wxejtHbI2mN6bAZxzxv6y09cM/'

/** A small phpBB 3.3 with rights in its forums. */
export const oldPhpbb: OldTables = {
  phpbb_config: [
    { config_name: 'sitename', config_value: 'Old teahouse' },
    { config_name: 'server_name', config_value: 'old.example' },
    { config_name: 'script_path', config_value: '/forum' },
    { config_name: 'version', config_value: '3.3.15' },
  ],
  phpbb_groups: [
    ...['GUESTS', 'REGISTERED', 'REGISTERED_COPPA', 'GLOBAL_MODERATORS', 'ADMINISTRATORS', 'BOTS', 'NEWLY_REGISTERED'].map(
      (group_name, index) => ({ group_id: index + 1, group_name, group_type: 3 }),
    ),
    { group_id: insiders, group_name: 'Insiders', group_type: 0 },
  ],
  phpbb_users: [
    user(1, 'Anonymous', { user_type: 2 }),
    user(2, 'admin', { user_type: 3 }),
    user(3, 'Ann &amp; Co', { user_password: oldHash }),
    user(4, 'Spammer', {}),
    user(5, 'Mei', { user_password: oldHash }),
  ],
  phpbb_user_group: [
    { group_id: registered, user_id: 3, user_pending: 0 },
    { group_id: insiders, user_id: 3, user_pending: 0 },
    { group_id: insiders, user_id: 5, user_pending: 1 },
  ],
  phpbb_banlist: [{ ban_id: 1, ban_userid: 4, ban_end: 0, ban_exclude: 0, ban_reason: 'Spam', ban_give_reason: 'Spam &amp; more' }],
  phpbb_acl_options: ['f_list', 'f_read', 'f_post', 'f_reply', 'f_'].map((auth_option, index) => ({
    auth_option_id: index + 1,
    auth_option,
  })),
  phpbb_acl_roles_data: [
    ...[list, read, write, reply, all].map((auth_option_id) => ({ role_id: standard, auth_option_id, auth_setting: 1 })),
    { role_id: noAccess, auth_option_id: all, auth_setting: 0 },
  ],
  phpbb_acl_groups: [
    role(guests, 2, standard),
    role(registered, 2, standard),
    role(insiders, 3, standard),
    role(guests, 5, noAccess),
    role(registered, 5, noAccess),
    { group_id: guests, forum_id: 6, auth_option_id: list, auth_role_id: 0, auth_setting: 1 },
    { group_id: guests, forum_id: 7, auth_option_id: list, auth_role_id: 0, auth_setting: 1 },
    { group_id: guests, forum_id: 7, auth_option_id: read, auth_role_id: 0, auth_setting: 1 },
  ],
  phpbb_forums: [
    forum(1, 'All', { parent_id: 0, forum_type: 0 }),
    forum(2, 'Open', {}),
    forum(3, 'Insiders alone', {}),
    forum(4, 'Without rights', {}),
    forum(5, 'Without access', {}),
    forum(6, 'Listed alone', {}),
    forum(7, 'Read alone', {}),
  ],
  phpbb_topics: [
    topic(1, 2, { topic_title: 'Open &lt;one&gt;', topic_first_post_id: 1 }),
    topic(2, 3, { topic_title: 'Secret of insiders', topic_first_post_id: 10 }),
    topic(3, 2, { topic_title: 'Moved', topic_first_post_id: 1, topic_status: 2, topic_moved_id: 1 }),
    topic(4, 4, { topic_title: 'Secret without rights', topic_first_post_id: 11 }),
    topic(5, 5, { topic_title: 'Secret without access', topic_first_post_id: 12 }),
    topic(6, 6, { topic_title: 'Secret in a list', topic_first_post_id: 13 }),
    topic(7, 7, { topic_title: 'Archive', topic_first_post_id: 14 }),
  ],
  phpbb_posts: [
    post(1, 1, { post_text: '<t>opening</t>' }),
    post(2, 1, { post_text: '<t>of a guest</t>', poster_id: 1, post_username: 'Passer &amp; by' }),
    post(3, 1, { post_text: '<t>deleted softly</t>', post_visibility: 2 }),
    post(4, 1, { post_text: '<t>waits</t>', post_visibility: 0 }),
    post(5, 1, { post_text: '<t>the last</t>', poster_id: 3 }),
    ...[2, 4, 5, 6, 7].map((topicId, index) => post(10 + index, topicId, { post_text: `<t>body of ${topicId}</t>` })),
  ],
  phpbb_attachments: [
    { attach_id: 1, post_msg_id: 0, poster_id: 2, in_message: 0, is_orphan: 1, physical_filename: '2_x', real_filename: 'never sent.txt' },
  ],
  phpbb_privmsgs: [
    {
      msg_id: 1,
      author_id: 3,
      message_time: began,
      message_subject: 'Hi &lt;you&gt;',
      message_text: '<t>private words</t>',
      bbcode_uid: '',
    },
  ],
  phpbb_privmsgs_to: [
    { msg_id: 1, user_id: 3, pm_unread: 0 },
    { msg_id: 1, user_id: 2, pm_unread: 1 },
  ],
}

export function user(user_id: number, username: string, more: OldRow): OldRow {
  const none = { user_password: '', user_email: '', user_avatar: '', user_avatar_type: '', user_sig: '', user_sig_bbcode_uid: '' }
  return { user_id, user_type: 0, user_regdate: began, username, user_lastvisit: 0, user_posts: 0, ...none, ...more }
}

function role(group_id: number, forum_id: number, auth_role_id: number): OldRow {
  return { group_id, forum_id, auth_option_id: 0, auth_role_id, auth_setting: 0 }
}

export function forum(forum_id: number, forum_name: string, more: OldRow): OldRow {
  const none = { forum_desc: '', forum_desc_uid: '', forum_password: '' }
  return { forum_id, parent_id: 1, left_id: forum_id, forum_name, forum_type: 1, ...none, ...more }
}

export function topic(topic_id: number, forum_id: number, more: OldRow): OldRow {
  const none = { poll_title: '', poll_start: 0, poll_length: 0, poll_max_options: 1, topic_time_limit: 0, topic_first_poster_name: '' }
  const usual = { topic_time: began, topic_views: 1, topic_status: 0, topic_type: 0, topic_moved_id: 0, topic_visibility: 1 }
  return { topic_id, forum_id, ...usual, ...none, ...more }
}

export function post(post_id: number, topic_id: number, more: OldRow): OldRow {
  const usual = { poster_id: 2, post_username: '', bbcode_uid: '', post_attachment: 0, post_edit_time: 0, post_visibility: 1 }
  return { post_id, topic_id, post_time: began + post_id, ...usual, ...more }
}
