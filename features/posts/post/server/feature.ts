import type { Feature } from '#base/server/feature.ts'
import { membersMerged } from '#post/server/merged.ts'
import { archive } from '#post/server/archive-parts.ts'
import { bufferedWriters } from '#post/server/jobs.ts'
import { bookChecks } from '#post/server/reward-checks.ts'
import { routes } from '#post/server/routes.ts'

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
  postColumns: {
    'adoption.comment_id': 'The accepted answer of a question, as a stub.',
    'adoption.topic_id': 'The accepted answer of a question, as a stub.',
    'former_adoption.comment_id': 'The record of an accepted answer, without words.',
    'former_adoption.topic_id': 'The record of an accepted answer, without words.',
    'comment.moved_to': 'A stub that leads to where the comment went.',
    'comment.quotes': 'A stub: erasing takes its words.',
    'comment.became': 'A stub that leads to the topic it became.',
    'comment.topic_id': 'A stub: erasing takes its words.',
    'comment_revision.comment_id': 'delete',
    'reply.comment_id': 'A stub: erasing takes its words.',
    'reply.topic_id': 'A stub: erasing takes its words.',
    'reply.answers': 'A stub: erasing takes its words.',
    'reply_revision.reply_id': 'delete',
    'topic.merged_as': 'A stub: erasing takes its words.',
    'topic_revision.topic_id': 'delete',
    'topic_tag.topic_id': 'The tags of a stub.',
    'topic_word.topic_id': 'The words of the title go with it, in `blankThread`.',
    'postscript.topic_id': 'delete',
    'topic_read_position.topic_id': 'Readers keep their place in a thread that stays; it goes in `eraseThread`.',
  },
  moments: { membersMerged },
}
