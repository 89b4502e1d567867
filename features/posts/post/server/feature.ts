import type { Feature } from '#base/server/feature.ts'
import { membersMerged } from '#post/server/merged.ts'
import { archive } from '#post/server/archive-parts.ts'
import { bufferedWriters } from '#post/server/jobs.ts'
import { bookChecks } from '#post/server/reward-checks.ts'
import { routes } from '#post/server/routes.ts'

const stub = { stays: 'A stub: erasing takes its words.' }
const suspended = { stays: 'An answer that leaves its question is suspended before.' }

export const feature: Feature = {
  name: 'post',
  routes,
  bufferedWriters,
  bookChecks,
  archive,
  memberColumns: {
    'adoption.author_id': { archive: true, erase: 'The answer that solved a question stays accepted.', merge: 'moment' },
    'read_all_marker.member_id': { archive: true, erase: 'delete', merge: 'delete' },
    'comment.author_id': { archive: true, erase: 'A post stays without a name, or goes as its author chose.', merge: 'moment' },
    'comment.edited_by': {
      archive: 'The editor of somebody else’s post.',
      erase: 'The record of an edit.',
      merge: 'The record of an edit.',
    },
    'comment_revision.written_by': {
      archive: 'All versions of the member’s own posts are there, by any editor.',
      erase: 'The record of an edit.',
      merge: 'The record of an edit.',
    },
    'reply.author_id': { archive: true, erase: 'A post stays without a name, or goes as its author chose.', merge: 'moment' },
    'reply.edited_by': { archive: 'The editor of somebody else’s post.', erase: 'The record of an edit.', merge: 'The record of an edit.' },
    'reply_revision.written_by': {
      archive: 'All versions of the member’s own posts are there, by any editor.',
      erase: 'The record of an edit.',
      merge: 'The record of an edit.',
    },
    'topic.author_id': { archive: true, erase: 'A post stays without a name, or goes as its author chose.', merge: 'moment' },
    'topic.closed_by': {
      archive: 'The member of staff who closed the topic.',
      erase: 'The record of an edit.',
      merge: 'The record of an edit.',
    },
    'topic.edited_by': { archive: 'The editor of somebody else’s post.', erase: 'The record of an edit.', merge: 'The record of an edit.' },
    'topic.last_reply_by': { archive: 'The reply is there.', erase: 'The record of an edit.', merge: 'moment' },
    'topic_read_position.member_id': { archive: true, erase: 'delete', merge: 'delete' },
    'topic_revision.written_by': {
      archive: 'All versions of the member’s own posts are there, by any editor.',
      erase: 'The record of an edit.',
      merge: 'The record of an edit.',
    },
  },
  postReferences: {
    'adoption.comment_id': { erased: { stays: 'The accepted answer of a question, as a stub.' }, became: suspended },
    'adoption.topic_id': { erased: { stays: 'The accepted answer of a question, as a stub.' }, moved: 'call', merged: suspended },
    'former_adoption.comment_id': { erased: { stays: 'The record of an accepted answer, without words.' }, became: suspended },
    'former_adoption.topic_id': { erased: { stays: 'The record of an accepted answer, without words.' }, moved: 'call', merged: suspended },
    'comment.moved_to': { erased: { stays: 'A stub that leads to where the comment went.' }, became: { stays: 'A stub: it leads on.' } },
    'comment.quotes': { erased: stub, became: { stays: 'A stub: it leads on.' } },
    'comment.became': { erased: { stays: 'A stub that leads to the topic it became.' }, merged: { stays: 'A stub: it leads on.' } },
    'comment.topic_id': { erased: stub, merged: { stays: 'Its comments are relocated one by one.' } },
    'comment_revision.comment_id': { erased: 'delete', became: { stays: 'Copied to the topic; these go with the stub.' } },
    'reply.comment_id': { erased: stub, became: { stays: 'Replies stay on the floor of the stub.' } },
    'reply.topic_id': { erased: stub, merged: { stays: 'Replies go with their comments.' } },
    'reply.answers': { erased: stub },
    'reply_revision.reply_id': { erased: 'delete' },
    'topic.merged_as': {
      erased: stub,
      became: { stays: 'It leads to the comment that the topic became, and is emptied when that becomes the topic again.' },
    },
    'topic_revision.topic_id': { erased: 'delete', merged: { stays: 'Copied to the comment; these go with the stub.' } },
    'topic_tag.topic_id': { erased: { stays: 'The tags of a stub.' }, merged: { stays: 'The tags of a stub.' } },
    'topic_word.topic_id': { erased: 'call', merged: { stays: 'The title of a stub, which no list shows.' } },
    'postscript.topic_id': { erased: 'delete', merged: { stays: 'They become a part of the comment.' } },
    'topic_read_position.topic_id': {
      erased: 'call',
      merged: { stays: 'Readers of all of the other thread have read there as far as here.' },
    },
    'tally.post_id': {
      erased: { stays: 'Counts that are written within seconds.' },
      became: { stays: 'Counts that are written within seconds.' },
    },
  },
  moments: { membersMerged },
}
