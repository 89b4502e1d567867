import type { FastifyInstance } from 'fastify'
import { NotAllowed, type Output } from '#base/contract.ts'
import type { Config } from '#base/server/config.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import { anyone, members, route, staff, type PrepareContext, type Limit, type Member } from '#base/server/http/route.ts'
import * as contract from '#file/contract.ts'
import { largestPictureKilobytes } from '#file/limits.ts'
import * as access from '#file/server/access.ts'
import * as file from '#file/server/file.ts'
import { incomingRoutes } from '#file/server/incoming.ts'
import { fileRoutes } from '#file/server/serve-file.ts'
import { StorageMissing, openStorage } from '#file/server/storage.ts'
import * as upload from '#file/server/upload.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

// Ten a minute on average, with bursts of several photographs.
const uploads: Limit[] = [
  { times: 30, seconds: 60, by: 'member' },
  { times: 100, seconds: 600, by: 'member' },
  { times: 500, seconds: 86_400, by: 'member' },
]

export const routes = [
  route(
    contract.uploadPicture,
    role.unlessBanned('upload'),
    async ({ db, viewer, prepared: stored }) => {
      await file.add(db, viewer.id, stored)
      return viewOf(stored, await access.srcFor(db, viewer, stored.id))
    },
    {
      uploadBytes: largestPictureKilobytes * 1024,
      limits: uploads,
      prepare: keep,
    },
  ),
  route(
    contract.uploadPictureAsStaff,
    staff('content.edit'),
    async ({ db, viewer, input: { authorId = viewer.id }, prepared: stored }) => {
      await file.addFor(db, authorId, stored)
      return viewOf(stored, await access.srcForStaff(db, stored.id))
    },
    {
      uploadBytes: largestPictureKilobytes * 1024,
      limits: uploads,
      prepare: keep,
    },
  ),
  route(contract.fileKeys, members, async ({ db, viewer, input }) => ({ keys: await access.keysTo(db, viewer, input.files) }), {
    limits: [{ times: 120, seconds: 60, by: 'member' }],
  }),
  route(contract.fileKeysForStaff, staff('content.view'), async ({ db, viewer, input }) => ({
    keys: await access.keysTo(db, { ...viewer, sessionId: access.staffSession(viewer.staff.sessionId) }, input.files),
  })),
  route(contract.beginUpload, role.unlessBanned('upload'), ({ db, viewer, input }) => upload.begin(db, viewer, input), { limits: uploads }),
  route(
    contract.finishUpload,
    role.unlessBanned('upload'),
    ({ db, viewer, input, prepared }) => upload.finish(db, viewer, input.file, prepared),
    {
      limits: uploads,
      prepare: upload.processUpload,
    },
  ),
  route(contract.uploadForm, anyone, ({ db }) => form(db), { cacheTags: () => ['setting'] }),
]

type FileRouteOptions = { config: Config; database: Database; access: access.AccessRules }

/** Opens the storage, and registers the routes of files. */
export async function openFiles(app: FastifyInstance, { config, database, access: rules }: FileRouteOptions): Promise<void> {
  const { fileStorageSystem } = await setting.all(database.reader)
  if (fileStorageSystem !== 0 && !config.store) throw new StorageMissing(fileStorageSystem)
  openStorage(config)
  await access.openAccess(database, rules)
  fileRoutes(app, database)
  await incomingRoutes(app, database)
}

function viewOf({ id, width, height, lost }: file.StoredPicture, src: string): Output<typeof contract.uploadPicture> {
  return { file: id, src, width, height, lost }
}

async function keep({ db, viewer, upload }: PrepareContext<unknown, Member>): Promise<file.StoredPicture> {
  if (!viewer.may('picture.upload')) throw NotAllowed()
  const { pictureKilobytes } = await setting.all(db)
  return file.storePicture(db, upload, { kilobytes: pictureKilobytes, sender: `member ${viewer.id}` })
}

// Small pictures take one call; only large ones are worth three, if the storage has upload URLs of its own.
const directBytes = 1_000_000

async function form(db: Db): Promise<Output<typeof contract.uploadForm>> {
  const settings = await setting.all(db)
  return {
    pictures: {
      kinds: settings.pictureKinds,
      kilobytes: settings.pictureKilobytes,
      perPost: settings.picturesPerPost,
      directBytes: settings.fileStorageSystem === 0 ? null : directBytes,
    },
    attachments: { kinds: settings.attachmentKinds, kilobytes: settings.attachmentKilobytes, perPost: settings.attachmentsPerPost },
  }
}
