import '../shared/style.css';
import '../shared/nav.css';
import './style.css';
