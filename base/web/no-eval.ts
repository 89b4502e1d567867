// Schemas compile themselves to code where they may. The page's policy forbids it and would complain, so it is said
// before the first schema is made, and without loading zod on pages that check nothing.
if ('document' in globalThis) Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
