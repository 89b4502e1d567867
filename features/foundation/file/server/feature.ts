import { sql } from 'kysely'
import type { Feature } from '#base/server/feature.ts'
import { postBecame } from '#file/server/post-became.ts'
import { archive } from '#file/server/archive-parts.ts'
import { jobs } from '#file/server/jobs.ts'
import { routes } from '#file/server/routes.ts'
import { settingChecks } from '#file/server/setting-checks.ts'

// The picture of the closed account stays with it.
const isAvatar = ({ from }: { from: string }) => sql<boolean>`id = (select avatar from member where id = ${from})`

export const feature: Feature = {
  name: 'file',
  routes,
  settingChecks,
  jobs,
  archive,
  memberColumns: {
    'file.owner_id': {
      archive: true,
      erase: 'Files in posts stay with the posts; all others are cleared away.',
      merge: 'move',
      mergeUnless: isAvatar,
    },
    'upload.owner_id': { archive: 'Uploads in progress, kept for an hour.', erase: 'delete', merge: 'Expires within an hour.' },
  },
  postReferences: {
    'file_use.topic_id': { erased: 'call', merged: { stays: 'The opening becomes a comment.' }, became: 'moves' },
    'file_use.comment_id': { erased: 'call', became: 'moves' },
    'file_use.reply_id': { erased: 'call' },
  },
  moments: { postBecame },
}
