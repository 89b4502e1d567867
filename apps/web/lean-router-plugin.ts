import type { Plugin } from 'vite'

/**
 * Lets the bundler leave out the router's own links and forms, which nobody here imports, and its advice to developers.
 * By itself it must keep them: it cannot know that making a component, naming one, or giving advice does nothing else.
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
          .replaceAll(/(?<!function |[\w.$])warning(?:Once)?\(/g, '/* @__PURE__ */ $&')
          .replaceAll(/^\w+\.displayName = ".*";$/gm, ''),
        map: null,
      }),
    },
  }
}
