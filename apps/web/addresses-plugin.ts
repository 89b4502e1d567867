import type { Plugin } from 'vite'

const name = 'virtual:addresses'

/** `virtual:addresses`: the paths of screens whose metadata the browser loads on demand, those of the member area apart. */
export function addresses(): Plugin {
  return {
    name: 'teahouse-addresses',
    resolveId: (source) => (source === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined
      const { otherScreens } = await import('./screens.ts')
      const pathsWhere = (isInArea: boolean) =>
        JSON.stringify(otherScreens.filter(({ isInMemberArea = false }) => isInMemberArea === isInArea).map(({ path }) => path))
      return `export const addresses = ${pathsWhere(false)}, memberAddresses = ${pathsWhere(true)}`
    },
  }
}
