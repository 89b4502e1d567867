import { anyone, members, on, staff } from '#base/server/route.ts'
import * as contract from '#tag/contract.ts'
import { idsToPublishIn, list } from '#tag/server/list.ts'
import * as manage from '#tag/server/manage.ts'
import * as picture from '#tag/server/picture.ts'

const manages = staff('tag.manage')

export const routes = [
  on(contract.listTags, anyone, async ({ db, viewer }) => ({ tags: await list(db, viewer) }), { cacheTags: () => ['tags', 'tagCounts'] }),
  on(contract.tagsForStaff, manages, ({ db }) => manage.all(db)),
  on(contract.addTag, manages, ({ db, viewer, from, input }) => manage.add(db, viewer, from, input)),
  on(contract.editTag, manages, async ({ db, viewer, from, input }) => {
    await manage.edit(db, viewer, from, input)
    return {}
  }),
  on(contract.uploadTagPicture, manages, ({ db, viewer, prepared }) => picture.add(db, viewer, prepared), {
    uploadBytes: picture.largestBytes,
    limits: [{ times: 30, seconds: 60, by: 'member' }],
    prepare: picture.keep,
  }),
  on(contract.sortTags, manages, async ({ db, viewer, from, input }) => {
    await manage.sort(db, viewer.staff, from, input.tagIds)
    return {}
  }),
  on(contract.myTags, members, ({ db, viewer }) => idsToPublishIn(db, viewer)),
]
