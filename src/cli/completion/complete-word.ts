/** The command that shells call for what may come next. No person types it, so no help lists it. */
export const completeWord = '__complete'
