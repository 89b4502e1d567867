import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { fileId, PictureGone, pictureRefusals } from '#file/contract.ts'
import { pictureSettings } from '#setting/staff-contract.ts'

export const maxKilobytes = 2_000
/** Minimum side of a picture, and maximum aspect ratio of a logo. */
export const minSide = 32
export const maxLogoRatio = 8

/** A logo that is taller than wide or a thin strip; and one that is too small to be sharp. */
export const LogoOfWrongShape = refusal('look.logoOfWrongShape', { field: 'picture' })
export const IconNotSquare = refusal('look.iconNotSquare', { field: 'picture' })
export const PictureTooSmall = refusal('look.pictureTooSmall', { field: 'picture' })

const which = z.enum(pictureSettings)
const Picture = z.object({ file: z.string(), src: z.string(), width: z.number(), height: z.number() })

export const listLook = read('/admin/look/list', {
  summary: 'Current logo and icon of the site, and earlier ones that can be restored.',
  input: nothing,
  output: z.object({
    pictures: z.array(
      z.object({
        which,
        now: Picture.nullable(),
        /** Newest first, with the actor and time of the removal. */
        earlier: z.array(z.object({ picture: Picture, by: z.string(), at: z.iso.datetime() })),
      }),
    ),
  }),
})

export const changeLook = write('/admin/look/change', {
  summary: 'Replaces the logo or the icon with the part `file` of a multipart form. All pages show it immediately.',
  input: z.object({ which }),
  output: nothing,
  errors: [...pictureRefusals, LogoOfWrongShape, IconNotSquare, PictureTooSmall],
})

export const returnLook = write('/admin/look/return', {
  summary: 'Restores an earlier logo or icon, while it is kept.',
  input: z.object({ which, file: fileId }),
  output: nothing,
  errors: [PictureGone],
})

export const removeLook = write('/admin/look/remove', {
  summary: 'Removes the logo or the icon. The site name, or the default icon, is shown instead.',
  input: z.object({ which }),
  output: nothing,
})
