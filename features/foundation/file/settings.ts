import { z } from 'zod'
import { attachmentKinds } from '#base/attachment-kinds.ts'
import type { SettingDeclarations } from '#base/setting.ts'

/** Pictures and files of posts, and where they are stored. */
export const settings = {
  picturesPerPost: { group: 'files', schema: z.int().min(0).max(50), default: 50 },
  pictureKilobytes: {
    group: 'files',
    schema: z.int().min(1).max(20_000),
    default: 10_000,
    aliases: 'upload image limit size 上传限制 附件大小',
  },
  pictureKinds: {
    group: 'files',
    schema: z
      .array(z.enum(['jpeg', 'png', 'webp', 'gif', 'avif']))
      .min(1)
      .max(5),
    default: ['jpeg', 'png', 'webp', 'gif', 'avif'],
  },
  attachmentsPerPost: { group: 'files', schema: z.int().min(0).max(20), default: 10, aliases: 'upload attachments 附件' },
  attachmentKilobytes: {
    group: 'files',
    schema: z.int().min(1).max(100_000),
    default: 20_000,
    aliases: 'upload attachment limit size 上传限制 附件大小',
  },
  attachmentKinds: {
    group: 'files',
    schema: z.array(z.enum(attachmentKinds)).max(30),
    default: ['pdf', 'txt', 'md', 'csv', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'zip', '7z', 'mp3', 'flac'],
    aliases: 'upload extensions attachment types 附件 附件类型 扩展名 后缀',
  },
  /** How long an unused file is kept. */
  unusedFileMinutes: { group: 'files', schema: z.int().min(10).max(10_080), default: 120 },
  /** 0: files on disk; 10, 20, 30: an S3-compatible store. */
  fileStorageSystem: {
    group: 'files',
    schema: z.literal([0, 10, 20, 30]),
    default: 0,
    guarded: true,
    aliases: 'storage bucket oss cos minio cdn remote attachment 对象存储 云存储 远程附件',
  },
} as const satisfies SettingDeclarations
