// openshelf agent-profile: the profile of OPENSHELF_AGENT_PROFILE, for a service that shops cannot reach.

import { AGENT_PROFILE } from '../../../answer/wire/agent-profile.ts';
import { DONE, type Command } from '../command.ts';

export const agentProfile: Command = {
  name: 'agent-profile',
  summary: 'print the profile that shops ask for, to be served by any web server',
  synopsis: [''],
  options: {},
  run: ({ io }) => {
    io.out(AGENT_PROFILE.trimEnd());
    return Promise.resolve(DONE);
  },
};
