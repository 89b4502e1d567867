import sharp from 'sharp'
import { bookshelf } from './pictures/bookshelf.ts'
import { buildTimes } from './pictures/build-times.ts'
import { keyboard } from './pictures/keyboard.ts'
import { mapSketch } from './pictures/map-sketch.ts'
import { nightCity } from './pictures/night-city.ts'
import { rainWindow } from './pictures/rain-window.ts'
import { recipeCard } from './pictures/recipe-card.ts'
import { teaField } from './pictures/tea-field.ts'
import { teacup } from './pictures/teacup.ts'
import { trailProfile } from './pictures/trail-profile.ts'

const drawings = {
  bookshelf,
  'build-times': buildTimes,
  keyboard,
  'map-sketch': mapSketch,
  'night-city': nightCity,
  'rain-window': rainWindow,
  'recipe-card': recipeCard,
  'tea-field': teaField,
  teacup,
  'trail-profile': trailProfile,
}

export type PictureName = keyof typeof drawings
export const pictureNames = Object.keys(drawings).filter(isPictureName)

export function isPictureName(name: string): name is PictureName {
  return Object.hasOwn(drawings, name)
}

/** A WebP of the picture, the same bytes every time. Figures are drawn as strokes, so no font is needed. */
export function drawPicture(name: PictureName): Promise<Buffer> {
  return sharp(Buffer.from(drawings[name]())).webp({ quality: 84 }).toBuffer()
}
