/**
 * The folders of the features, on the floors of the house. A feature may import only features named above it, so a floor stands on those
 * above it in this list, and reading the list is reading the architecture.
 */
export const folders = [
  // foundation: what everything stands on
  'foundation/kind', // the kinds of posts, and what differs between them
  'foundation/audit', // the log of staff's actions
  'foundation/frame', // what staff put around every page: sections of the navigation, pieces of HTML
  'foundation/setting', // site settings and feature switches
  'foundation/preferences', // language, theme, text size, time zone
  'foundation/role', // named rights of members, and when they expire
  'foundation/sensitive-word', // words that are refused or reviewed, however they are disguised
  'foundation/field', // questions of the site to its members
  'foundation/file', // uploaded pictures and files, and who may read them
  'foundation/user', // a member as others see them: name, badge, level
  'foundation/delivery', // e-mail and text messages
  // accounts: members and staff: who they are, how they prove it, and what they are told
  'accounts/challenge', // one-time proofs for one browser and one purpose: a captcha, a code that was sent
  'accounts/captcha', // proof of a person
  'accounts/second-factor', // proof of identity by password and a second factor
  'accounts/contact', // the phone number and the e-mail address of an account
  'accounts/real-name', // verified identity: a bound phone, or a name and a number that a provider checked
  'accounts/invitation', // invitation codes, and who joined with which
  'accounts/account', // registration, login, sessions
  'accounts/identity', // login by other sites
  'accounts/account-security', // authenticator apps, passkeys, trusted devices
  'accounts/staff', // staff accounts, their login and roles
  'accounts/notification', // notifications of members, and announcements
  // ledger: points and balance
  'ledger/wallet', // points and balance: the one ledger of everything that moves them
  'ledger/collusion', // members between whom points, balance or likes go in circles
  // posts: the engine over posts of all kinds, and what a post can hold
  'posts/ai-label', // posts with AI-generated content: declared by authors, set by staff
  'posts/hidden-part', // locked parts of a topic, and who unlocked them
  'posts/link-preview', // titles and pictures of linked pages
  'posts/writing', // the body of every post: a checked document, its pictures and mentions
  'posts/tag', // where a topic belongs, and who may read there
  'posts/red-envelope', // amounts given away in shares that others open
  'posts/bounty', // the reward an asker offers for an answer, and who got it
  'posts/post', // the engine over posts of all kinds: threads open, and posts become visible or hidden
  // community: what members do with posts and with each other
  'community/like', // likes of posts
  'community/favourite', // saved topics and questions
  'community/follow', // followed tags and members, and blocks
  'community/message', // private messages
  // threads: topics, questions, and what is written below them
  'threads/topic',
  'threads/comment', // comments of a topic, and replies to them
  'threads/question', // what only questions have: further tags, additions, the accepted answer
  'threads/poll', // what a thread asks its readers to vote on
  'threads/activity', // a member's posts of every kind in one list
  'threads/search', // full-text search of posts, members and tags
  'threads/draft', // unfinished posts, on all devices of their author
  'threads/rename', // current names in the mentions of older posts
  // commerce: what is paid for
  'commerce/payment', // top-up by payment providers: orders, notifications, refunds
  'commerce/reconciliation', // statements of providers, compared with payments
  'commerce/membership', // cards that give a role for a time, their orders, coupons and gifts
  // moderation: staff’s work over posts and members
  'moderation/batch', // bulk actions of staff, and their undo
  'moderation/content', // staff's work over posts
  'moderation/report', // reports of posts, their decisions, and appeals
  'moderation/review', // posts that wait for approval
  'moderation/member', // staff's work over members: search, bans, notes
  'moderation/member-cleanup', // removal, restoration and transfer of all posts of one member
  // site: the site around its posts, and its operation
  'site/personal-data', // the export of a member's data
  'site/leaving', // deactivation and deletion of accounts
  'site/look', // the forum's logo and icon
  'site/help', // help pages, and the terms of service by version
  'site/feedback', // messages to staff, with or without an account
  'site/link', // links to friendly sites
  'site/about', // the forum's description, its staff and counts
  'site/assistant', // an AI model that answers members from what they may read
  'site/mcp', // the MCP server: what programs read for a member, with their access token
  'site/maintenance', // backups, jobs, caches and health
  'site/statistic', // page views and growth
  'site/importer', // communities that move in from another program, and their old addresses
  'site/exporter', // the whole community in files, to move out with
]

/** The names of the features, in the same order. */
export const order = folders.map((folder) => folder.slice(folder.indexOf('/') + 1))

/** The folder of a feature from the root, or undefined: `features/threads/comment`. */
export function folderOf(feature) {
  const folder = folders[order.indexOf(feature)]
  return folder && `features/${folder}`
}
