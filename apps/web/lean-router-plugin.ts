import type { Plugin } from 'vite'

/**
 * Lets the bundler leave out the router's own links and forms, which nobody here imports. By itself it must keep them:
 * it cannot know that making a component, or naming one, does nothing else.
 */
export function leanRouter(): Plugin {
  return {
    name: 'teahouse-lean-router',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\// },
      handler: (code) => ({
        code: code
          .replaceAll(/(?<== )React\$1\.(?:forwardRef|memo|createContext)\(/g, '/* @__PURE__ */ $&')
          .replaceAll(/^\w+\.displayName = ".*";$/gm, ''),
        map: null,
      }),
    },
  }
}
