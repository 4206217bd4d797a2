import { endWhatIsStarted } from './lifetime';

endWhatIsStarted();
