/** A feature may import only features named above it. Reading this list is reading the architecture. */
export const order = [
  'kind', // which kinds of posts there are, and what differs between them
  'audit', // what staff did
  'frame', // what staff put around every page: sections of the navigation, pieces of HTML
  'setting', // site settings and feature switches
  'preferences', // how somebody likes to read: language, theme, text size, time zone
  'role', // named rights, and when they expire
  'sensitive-word', // what the forum does not want to read, whatever it is dressed as
  'field', // what this site asks members about themselves
  'file', // pictures and files people upload, and who may see them
  'user', // who a person is to others: name, badge, level
  'delivery', // e-mail and text messages that are sent to people
  'challenge', // what must be answered once, by one browser, for one purpose: a captcha, or a code that was sent
  'captcha', // a person, and no machine
  'second-factor', // showing again that it is you: by password and by more than that
  'contact', // the phone number and the e-mail address that an account is bound to
  'real-name', // who somebody is in truth: a bound phone, or a name and a number that somebody checked
  'invitation', // codes with which one may register, and who came with which
  'account', // proving it is you: register, log in, sessions
  'identity', // other sites that say who somebody is, and whose account that is here
  'account-security', // what members do for the safety of their account: codes of an app, passkeys, trusted devices
  'staff', // who runs the forum: signing in to the administration, roles of staff
  'look', // the forum's own logo and icon
  'batch', // what staff do to many things at once, and undo
  'notification', // what staff tell everybody, and what members are told of what became of theirs
  'wallet', // points and balance: one ledger that everything that moves them goes through
  'ai-label', // which posts contain AI-generated content: declared by authors, set by staff
  'hidden-part', // what of a topic is locked, and who opened it
  'link-preview', // what other sites say of pages that posts lead to
  'writing', // what every post is made of: a checked document, its pictures, whom it mentions
  'tag', // where a topic belongs, and who may look there
  'red-envelope', // amounts that members give away, in shares that others open
  'bounty', // what an asker offers for an answer, and who got it
  'post', // what is done to what people write, whichever kind it is: a thread opens, and posts come onto its page or go from it
  'like', // who likes which post
  'collusion', // members between whom points, balance or likes go round
  'favourite', // what members keep to find it again
  'follow', // whom and what members follow, and whom they would rather not meet
  'message', // what two members write to each other, and nobody else reads
  'topic',
  'comment', // comments under a topic, and replies to them
  'question', // what only questions have: further tags, what is added later, the answer that solves it
  'activity', // what a member wrote, of every kind in one list
  'search', // finding topics, comments and replies by what they say
  'content', // staff's work over topics, comments and replies
  'report', // reports of posts, what staff decide, and appeals
  'review', // posts that wait until staff have looked at them
  'draft', // what one has begun to write, on all one's devices
  'rename', // texts call those they mention by the names they go by now
  'payment', // money that comes in by providers: orders, what providers tell, refunds
  'membership', // cards that give a role for a time, their orders, coupons and gifts
  'member', // the staff’s hand on members: finding, banning, keeping out, notes
  'member-cleanup', // all that one member wrote: taken off at once and restored, or transferred to another
  'personal-data', // all that is kept of one member, handed to them
  'leaving', // members who go, for a while or for good, and what becomes of what is theirs
  'help', // help pages, and the terms of service by version
  'feedback', // what people tell the staff, with or without an account
  'link', // other sites that are friends of this one
  'about', // what this place is, who runs it, and how many are here
  'assistant', // a model that answers members from what they may read here
  'maintenance', // backups, jobs, caches and health: what keeps the forum well
  'statistic', // page views, and how all of it goes
]
