/** What each figure may be. The only place that knows: rows measure, and `report.js` compares. */

/**
 * @typedef {object} Budget
 * @property {number} [atLeast]
 * @property {number} [atMost]
 */

/** By `row/figure`. @type {Readonly<Record<string, Budget>>} */
export const budgets = {
  'get-pod/requests': { atLeast: 0.75 },
  'get-pod/cpu': { atMost: 1.4 },
  'get-job/requests': { atLeast: 0.75 },
  'get-job/cpu': { atMost: 1.4 },
  'post-run/requests': { atLeast: 0.7 },
  'post-run/cpu': { atMost: 1.4 },
  'post-pod/requests': { atLeast: 0.6 },
  'post-pod/cpu': { atMost: 1.8 },
  'journal/post-run, requests': { atLeast: 0.75 },
  'journal/post-pod, requests': { atLeast: 0.75 },
  'take/job to waiting worker': { atMost: 5 },
  'graphql/requests to apollo 3': { atLeast: 2 },
  'start/first REST answer': { atMost: 1.5 },
  'start/first GraphQL answer': { atMost: 2.5 },
  'start/first GraphQL answer to apollo 5': { atMost: 0.7 },
  'start/idle RSS': { atMost: 1.5 },
  'library/first createEmulator': { atMost: 10 },
  'day/1e6 jobs, 1000 workers': { atMost: 10 },
  'day/cost per event, largest to smallest': { atMost: 1.5 },
  'scenario/1e5 jobs, a virtual day': { atMost: 5 },
  'heap/1e4 pending, tinyqueue to ours': { atLeast: 1 },
  'heap/1e5 pending, tinyqueue to ours': { atLeast: 1 },
  'heap/1e6 pending, tinyqueue to ours': { atLeast: 1 },
  'heap/cost, 1e6 to 1e4': { atMost: 3 },
  'memory/held': { atMost: 1.2 },
  'pages/create, 1e5 to 1e3': { atMost: 3 },
  'pages/page, 1e5 to 1e3': { atMost: 3 },
  'pages/read, 1e5 to 1e3': { atMost: 3 },
  'pages/delete, 1e5 to 1e3': { atMost: 3 },
  'snapshot/1e5 pods, in memory': { atMost: 2 },
  'snapshot/1e5 pods, in file': { atMost: 2 },
  'snapshot/1e5 pods, from file': { atMost: 2 },
  'snapshot/1e5 pods, as document': { atMost: 2 },
  'snapshot/1e5 pods, from document': { atMost: 2 },
  'snapshot/longest turn of the document': { atMost: 50 },
  'timers/earliest': { atLeast: 0 },
  'timers/p99 lateness': { atMost: 3 },
}
