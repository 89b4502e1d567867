// Zod compiles schemas with `eval` where it may. The page's policy forbids that and reports it, so the option is set before the first
// schema is made, and without loading zod on pages that validate nothing.
if ('document' in globalThis) Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
