import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { useApi, type BrowserApi } from '#base/web/api.ts'
import type { FileCounts, Uploader } from '#base/editor/upload-queue.ts'
import { useWords, type Translate } from '#base/web/words.tsx'
import { pictureKinds } from '#file/limits.ts'
import { attachmentProblemOf, uploadLimits, withReadableError, UploadRefused, problemOf } from '#file/web/problem.ts'
import type { UploadOptions } from '#file/web/upload-file.ts'
import { sendAttachment, sendIn, sendPicture, sendPictureAsStaff } from '#file/web/send-files.ts'
import { isHeic } from '#file/web/shrink.ts'

export { UploadRefused } from '#file/web/problem.ts'

export const acceptedPictures = pictureKinds.map((kind) => `image/${kind}`).join(',')

/** The upload function of an editor, for pictures and, in posts that allow them, attachments. */
export function useUploads({ takesAttachments }: { takesAttachments: boolean }): Uploader {
  const api = useApi()
  const words = useWords('file')
  return {
    reasonToRefuse: (file, present) => withReadableError(words, () => refusalOf(api, words, file, present, takesAttachments)),
    send: (file, onProgress, signal) =>
      withReadableError(words, () => (isPicture(file) ? sendPicture : sendAttachment)(api, words, file, { onProgress, signal })),
  }
}

/** The upload function of staff's editor, for pictures of a post by this author; null for their own. No attachments. */
export function useStaffUploads(authorId: string | null): Uploader {
  const api = useApi()
  const words = useWords('file')
  return {
    reasonToRefuse: (file, present) => withReadableError(words, () => refusalOf(api, words, file, present, false)),
    send: (file, onProgress, signal) =>
      withReadableError(words, () => sendPictureAsStaff(api, words, file, authorId, { onProgress, signal })),
  }
}

function isPicture(file: File): boolean {
  return file.type.startsWith('image/') || isHeic(file)
}

async function refusalOf(
  api: BrowserApi,
  words: Translate,
  file: File,
  present: FileCounts,
  takesAttachments: boolean,
): Promise<string | null> {
  const { pictures, attachments } = await uploadLimits(api)
  if (isPicture(file)) return present.pictures < pictures.perPost ? null : words('picturesFull', { max: pictures.perPost })
  if (!takesAttachments || attachments.perPost === 0) return words('noFilesHere')
  if (present.files >= attachments.perPost) return words('filesFull', { max: attachments.perPost })
  return attachmentProblemOf(file, attachments, words)
}

/** Uploads a picture with its form fields, after a local check, which saves a call that is certain to be refused. */
export function useSendPicture<E extends Endpoint>(path: E['path'], mostKilobytes = Infinity) {
  const api = useApi()
  const words = useWords('file')
  return (file: File, fields: RawInput<E>, watch: UploadOptions = {}): Promise<Output<E>> =>
    withReadableError(words, async () => {
      const { pictures } = await uploadLimits(api)
      const problem = problemOf(file, { ...pictures, kilobytes: Math.min(pictures.kilobytes, mostKilobytes) }, words)
      if (problem) throw new UploadRefused(problem)
      return sendIn<E>(api, path, file, fields, watch)
    })
}
