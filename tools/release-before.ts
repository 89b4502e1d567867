/** The commit of the release before: a server of it must be able to run beside this version, on the same database. */
export const releaseBefore = '35e3e054ba40e1d3c33f9589b9db945026dc91b6'
