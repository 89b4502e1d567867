/**
 * The folders of the features, each with its area. A feature may import only features named above it, so reading this list is reading the
 * architecture.
 */
export const folders = [
  'posts/kind', // the kinds of posts, and what differs between them
  'operations/audit', // the log of staff's actions
  'site/frame', // what staff put around every page: sections of the navigation, pieces of HTML
  'site/setting', // site settings and feature switches
  'accounts/preferences', // language, theme, text size, time zone
  'accounts/role', // named rights of members, and when they expire
  'moderation/sensitive-word', // words that are refused or reviewed, however they are disguised
  'people/field', // questions of the site to its members
  'posts/file', // uploaded pictures and files, and who may read them
  'people/user', // a member as others see them: name, badge, level
  'messages/delivery', // e-mail and text messages
  'accounts/challenge', // one-time proofs for one browser and one purpose: a captcha, a code that was sent
  'accounts/captcha', // proof of a person
  'accounts/second-factor', // proof of identity by password and a second factor
  'accounts/contact', // the phone number and the e-mail address of an account
  'accounts/real-name', // verified identity: a bound phone, or a name and a number that a provider checked
  'accounts/invitation', // invitation codes, and who joined with which
  'accounts/account', // registration, login, sessions
  'accounts/identity', // login by other sites
  'accounts/account-security', // authenticator apps, passkeys, trusted devices
  'operations/staff', // staff accounts, their login and roles
  'site/look', // the forum's logo and icon
  'moderation/batch', // bulk actions of staff, and their undo
  'messages/notification', // notifications of members, and announcements
  'money/wallet', // points and balance: the one ledger of everything that moves them
  'posts/ai-label', // posts with AI-generated content: declared by authors, set by staff
  'posts/hidden-part', // locked parts of a topic, and who unlocked them
  'posts/link-preview', // titles and pictures of linked pages
  'posts/writing', // the body of every post: a checked document, its pictures and mentions
  'posts/tag', // where a topic belongs, and who may read there
  'money/red-envelope', // amounts given away in shares that others open
  'money/bounty', // the reward an asker offers for an answer, and who got it
  'posts/post', // the engine over posts of all kinds: threads open, and posts become visible or hidden
  'people/like', // likes of posts
  'money/collusion', // members between whom points, balance or likes go in circles
  'people/favourite', // saved topics and questions
  'people/follow', // followed tags and members, and blocks
  'messages/message', // private messages
  'posts/topic',
  'posts/comment', // comments of a topic, and replies to them
  'posts/question', // what only questions have: further tags, additions, the accepted answer
  'posts/poll', // what a thread asks its readers to vote on
  'people/activity', // a member's posts of every kind in one list
  'posts/search', // full-text search of posts, members and tags
  'moderation/content', // staff's work over posts
  'moderation/report', // reports of posts, their decisions, and appeals
  'moderation/review', // posts that wait for approval
  'posts/draft', // unfinished posts, on all devices of their author
  'posts/rename', // current names in the mentions of older posts
  'money/payment', // top-up by payment providers: orders, notifications, refunds
  'money/membership', // cards that give a role for a time, their orders, coupons and gifts
  'moderation/member', // staff's work over members: search, bans, notes
  'moderation/member-cleanup', // removal, restoration and transfer of all posts of one member
  'accounts/personal-data', // the export of a member's data
  'accounts/leaving', // deactivation and deletion of accounts
  'site/help', // help pages, and the terms of service by version
  'site/feedback', // messages to staff, with or without an account
  'site/link', // links to friendly sites
  'site/about', // the forum's description, its staff and counts
  'site/assistant', // an AI model that answers members from what they may read
  'operations/maintenance', // backups, jobs, caches and health
  'operations/statistic', // page views and growth
]

/** The names of the features, in the same order. */
export const order = folders.map((folder) => folder.slice(folder.indexOf('/') + 1))

/** The folder of a feature from the root, or undefined: `features/posts/comment`. */
export function folderOf(feature) {
  const folder = folders[order.indexOf(feature)]
  return folder && `features/${folder}`
}
