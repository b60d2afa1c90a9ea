// Preloaded into every Node program that the start command runs. The channel to the start command closes when that is
// gone, even when it was killed and could not stop anything; then this program stops as if it had been asked to.
const parentPid = process.ppid
// The kernel closes a dead process's channel a moment before it hands over its children.
const HANDOVER_MS = 200

if (process.channel) {
  process.once('disconnect', () => {
    // wrangler also closes the channel itself when it is done; then the start command still lives.
    const endWithParent = () => process.ppid !== parentPid && process.kill(process.pid, 'SIGTERM')
    setTimeout(endWithParent, HANDOVER_MS).unref()
  })
  process.channel.unref()
}

export {}
