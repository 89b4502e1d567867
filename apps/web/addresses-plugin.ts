import type { Plugin } from 'vite'

const name = 'virtual:addresses'

/** `virtual:addresses`: the paths of screens whose metadata the browser loads on demand. */
export function addresses(): Plugin {
  return {
    name: 'teahouse-addresses',
    resolveId: (source) => (source === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined
      const { otherScreens } = await import('./screens.ts')
      const found = otherScreens.map(({ path, within }) => ({ path, ...(within && { isInArea: true }) }))
      return `export const addresses = ${JSON.stringify(found)}`
    },
  }
}
