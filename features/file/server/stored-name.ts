import type { IconSide } from '#base/look.ts'

/** What was brought and not yet looked at. */
export function incomingName(id: string): string {
  return `${id}.incoming`
}

export function attachmentName(id: string): string {
  return `${id}.file`
}

export function iconName(id: string, side: IconSide): string {
  return `${id}.${side}.png`
}

/** What lies in the storage under the id of a file. */
export function idIn(name: string): string {
  return name.split('.')[0] ?? name
}

/** Whether a name is of our making: what else lies in a folder or a bucket is not ours to clear away. */
export function isOurs(name: string): boolean {
  return /^f_[\w-]{22}\.[\w.]+$/.test(name)
}
